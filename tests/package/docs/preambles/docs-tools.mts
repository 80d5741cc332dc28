import type { Permission } from "apex-parts";
import { nodeHost } from "apex-parts/node";

export const askTheUser = async (_request: Permission.Request) => "once" as const;
export const showDialog = askTheUser;
export const { fs, shell } = nodeHost();
