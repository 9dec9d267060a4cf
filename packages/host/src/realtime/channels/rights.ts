import type { Identity } from "../identity.ts";
import type { RealtimeParts } from "../parts.ts";
import { JoinRefused } from "./channel-socket.ts";
import type { TopicName } from "./hub.ts";
import { askPermissions, EVERYTHING, type Permissions } from "./permissions.ts";

/** How long a caller may try no new filters after one of them took too long. */
export const filterPenaltyMs = 30_000;

/** How rights are asked: whether the session is looked at, too, and in whose turn. */
interface AskingOptions {
  asksSession: boolean;
  /** @throws {QueueFull} */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * What an identity may do in a topic. Only the policies of a private topic are asked; a public one is open.
 * @throws {InvalidToken} when the session has ended
 * @throws {JoinRefused} when a private topic may not be read at all
 * @throws {DatabaseBusyError} when there was no answer in time
 */
export async function askRights(
  { context, identities, joinPool }: RealtimeParts,
  { topic, isPrivate }: TopicName,
  identity: Identity,
  { asksSession, inTurn }: AskingOptions,
): Promise<Permissions> {
  if (!asksSession && !isPrivate) return EVERYTHING;
  const permissions = await inTurn(async () => {
    if (asksSession) await identities.assertLive(identity);
    if (!isPrivate) return EVERYTHING;
    return await askPermissions({ db: joinPool, log: context.log }, topic, identity.identity);
  });
  if (permissions.broadcastRead || permissions.presenceRead) return permissions;
  throw new JoinRefused(
    `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`,
  );
}
