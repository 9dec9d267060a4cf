export function digestOf(root: string, paths: readonly string[]): string | undefined;
export function hasPassed(file: string, digest: string | undefined): boolean;
export function rememberPassed(file: string, digest: string | undefined): void;
