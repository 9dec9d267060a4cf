export function nextPauseMs(previousMs: number, readyMs: number): number;
