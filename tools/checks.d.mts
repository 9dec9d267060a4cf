export function runChecks(
  checks?: readonly (readonly [
    title: string,
    command: string,
    args: string[],
    reads?: readonly string[],
  ])[],
  print?: (text: string) => void,
): Promise<{ passed: number; failures: string[] }>;
