export { SessionProvider, useSession, type SessionView } from "./session-provider.tsx";
export { displayName, type Profile } from "./model/profile.ts";
export type { SessionUser } from "./model/session-store.ts";
