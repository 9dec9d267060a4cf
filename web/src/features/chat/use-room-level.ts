import { maximumLevel } from "@/domain/levels.ts";
import { useLevel } from "@/features/levels/index.ts";
import { useSession } from "@/features/session/index.ts";

/** The level that decides which rooms are open. Administrators have the highest. */
export function useRoomLevel(): {
  readonly status: "loading" | "ready" | "failed";
  readonly current: number;
} {
  const { role } = useSession();
  const level = useLevel();
  if (role === "admin") return { status: "ready", current: maximumLevel };
  return { status: level.status, current: level.current };
}
