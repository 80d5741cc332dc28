// Limits of what is read.

/** The most elements of an array: a proxy, or an empty array, can claim any length. */
export const MAX_ELEMENTS: number = 1 << 24;
