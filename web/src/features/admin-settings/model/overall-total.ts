import type { RequirementSupply } from "@/domain/requirement-supply.ts";

/** The total of the overall completion: of each kind and category the most any level asks for. */
export function overallTotal(requirements: readonly RequirementSupply[]): number {
  const highest = new Map<string, number>();
  for (const { kind, category, needed } of requirements) {
    const key = `${kind} ${category ?? ""}`;
    highest.set(key, Math.max(highest.get(key) ?? 0, needed));
  }
  return [...highest.values()].reduce((sum, needed) => sum + needed, 0);
}
