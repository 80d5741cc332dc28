/** The server of `apex-parts view`, for tests of the page: the page is that of www/dist, and no token is asked for. */
import { fileURLToPath } from "node:url";
import { serve as serveAny } from "../../pkg/cli/view/server.mjs";

const PAGE = fileURLToPath(new URL("../../www/dist", import.meta.url));

export const serve = (options) => serveAny({ root: PAGE, isPublic: true, ...options });
