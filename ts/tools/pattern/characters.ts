// Characters and words in the syntax of a class with the flag `v`.

export const ASCII_WORD = "[0-9A-Za-z_]";
export const UNICODE_WORD = "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]";

/** A character in a class. */
export const charSource = (code: number): string => `\\u{${code.toString(16)}}`;

/** What a word is made of. */
export const wordSource = (isUnicode: boolean): string => (isUnicode ? UNICODE_WORD : ASCII_WORD);
