import type { Permission } from "apex-parts";

export const showDialog = async (_request: Permission.Request) => "once" as const;
