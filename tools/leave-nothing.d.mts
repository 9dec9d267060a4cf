export const runVariable: "FOURFOLD_RUN";
export function leaveNothingRunning(): void;
export function leaveNoFolder(folder: string): void;
export function makeTemporaryFolder(): string;
