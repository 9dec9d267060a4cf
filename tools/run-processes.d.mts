export function processesOfRun(run: string): number[];
