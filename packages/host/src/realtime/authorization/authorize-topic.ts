import type { AuthContext } from "./token-verifier.ts";
import type { RealtimeServices } from "../server/realtime-services.ts";
import { JoinError } from "../channels/channel-socket.ts";
import type { TopicName } from "../channels/topic-registry.ts";
import { queryPermissions, allPermissions, type TopicPermissions } from "./topic-permissions.ts";

/** How long a caller may try no new filters after one of them took too long. */
export const filterPenaltyMs = 30_000;

/** How rights are asked: whether the session is looked at, too, and in whose turn. */
interface AuthorizationOptions {
  checksSession: boolean;
  /** @throws {QueueFull} */
  runQueued: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * What an identity may do in a topic. Only the policies of a private topic are asked; a public one is open.
 * @throws {InvalidToken} when the session has ended
 * @throws {JoinError} when a private topic may not be read at all
 * @throws {DatabaseBusyError} when there was no answer in time
 */
export async function authorizeTopic(
  { context, tokenVerifier, joinPool }: RealtimeServices,
  { topic, isPrivate }: TopicName,
  identity: AuthContext,
  { checksSession, runQueued }: AuthorizationOptions,
): Promise<TopicPermissions> {
  if (!checksSession && !isPrivate) return allPermissions;
  const permissions = await runQueued(async () => {
    if (checksSession) await tokenVerifier.assertSessionActive(identity);
    if (!isPrivate) return allPermissions;
    return await queryPermissions({ db: joinPool, log: context.log }, topic, identity.identity);
  });
  if (permissions.broadcastRead || permissions.presenceRead) return permissions;
  throw new JoinError(
    `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`,
  );
}
