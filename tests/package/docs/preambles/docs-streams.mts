export const url = process.env.MODEL_URL ?? "";
export const headers = { "content-type": "application/json" };
export const body = "{}";
export const draw = (change: object) => console.log(change);
export const store = (log: Uint8Array) => console.log(log.length);
