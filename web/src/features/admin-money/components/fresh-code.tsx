import { useState, type ReactNode } from "react";
import { useSecondFactor } from "@/features/session/index.ts";

/** The server takes a code or key for five minutes; within this time no other one is asked for. */
const codeLastsMs = 4 * 60_000;

/** Asks for the second factor before money moves. */
export function useFreshCode(isNeeded: boolean): {
  /** The fields; null while no code is needed. */
  readonly codeFields: ReactNode;
  /** False while the code is incomplete; the field says so. */
  readonly isCodeComplete: () => Promise<boolean>;
  /** Shows code or key to the server. Returns the problem, or null when it was right. */
  readonly proveCode: () => Promise<string | null>;
} {
  const { fields, change, isComplete, prove } = useSecondFactor({ isNeeded });
  const [provenAt, setProvenAt] = useState<number | null>(null);
  const isDue = () => isNeeded && (provenAt === null || performance.now() - provenAt > codeLastsMs);

  async function proveCode(): Promise<string | null> {
    if (!isDue()) return null;
    const problem = await prove();
    if (problem === null) setProvenAt(performance.now());
    return problem;
  }

  return {
    codeFields:
      !isNeeded || provenAt !== null ? null : (
        <>
          {fields}
          {change}
        </>
      ),
    isCodeComplete: async () => {
      if (!isDue()) return true;
      setProvenAt(null);
      return await isComplete();
    },
    proveCode,
  };
}
