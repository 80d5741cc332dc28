export const server = process.env.OPENCODE_URL ?? "";
