import type { VerifiedToken } from "./token-verifier.ts";
import type { RealtimeServices } from "../server/realtime-services.ts";
import { JoinError } from "../channels/channel-socket.ts";
import type { TopicName } from "../channels/topic-registry.ts";
import { queryPermissions, allPermissions, type TopicPermissions } from "./topic-permissions.ts";

/** How long a caller may not create new filters after one took too long. */
export const filterPenaltyMs = 30_000;

/** Whether to check the session as well, and how to queue the queries. */
interface AuthorizationOptions {
  checksSession: boolean;
  /** @throws {QueueFullError} */
  runQueued: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Returns the permissions on a topic. Policies decide for private topics; public ones are open.
 * @throws {InvalidToken} when the session has ended
 * @throws {JoinError} when a private topic may not be read at all
 * @throws {DatabaseBusyError} when the query timed out
 */
export async function authorizeTopic(
  { context, tokenVerifier, joinPool }: RealtimeServices,
  { topic, isPrivate }: TopicName,
  auth: VerifiedToken,
  { checksSession, runQueued }: AuthorizationOptions,
): Promise<TopicPermissions> {
  if (!checksSession && !isPrivate) return allPermissions;
  const permissions = await runQueued(async () => {
    if (checksSession) await tokenVerifier.assertSessionActive(auth);
    if (!isPrivate) return allPermissions;
    return await queryPermissions({ db: joinPool, log: context.log }, topic, auth.identity);
  });
  if (permissions.broadcastRead || permissions.presenceRead) return permissions;
  throw new JoinError(
    `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`,
  );
}
