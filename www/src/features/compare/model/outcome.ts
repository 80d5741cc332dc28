import { STATUS_ERROR } from "../../transcript/model/layout";

/** The code of `layout().statuses` for a call that ended, and failed: an exit code that is not 0, and the like. */
const STATUS_FAILED = 5;

/** Whether a call came to nothing, by its status in the layout. */
export const isFailed = (status: number) => status === STATUS_ERROR || status === STATUS_FAILED;
