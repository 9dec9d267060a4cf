export function runChecks(
  checks?: readonly (readonly [title: string, command: string, args: string[]])[],
  print?: (text: string) => void,
): Promise<{ passed: number; failures: string[] }>;
