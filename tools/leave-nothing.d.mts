export const runVariable: "FOURFOLD_RUN";
export function leaveNothingRunning(): void;
