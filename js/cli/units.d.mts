export function count(value: number): string;
export function plural(value: number, noun: string, several?: string): string;
export function bytes(value: number): string;
export function dollars(amount: number): string;
export function duration(ms: number): string;
export function changed(lines: { added: number; removed: number }): string;
