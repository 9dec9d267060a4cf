import type { VerifiedToken } from "../channel-authorization/token-verifier.ts";
import { InvalidToken } from "../../keys.ts";
import type { RealtimeCaller } from "../limits/caller-registry.ts";
import { tooManyJoins } from "./channel-close-reason.ts";
import { JoinError, tokenExpired, type ChannelSocket } from "./channel-socket.ts";
import type { JoinOptions } from "./join-request.ts";

/**
 * Verifies the token of a join, counts it for its caller and reserves the memory of its channel.
 * @throws {JoinError}
 */
export async function admitJoin(
  socket: ChannelSocket,
  request: JoinOptions,
): Promise<{ auth: VerifiedToken; caller: RealtimeCaller }> {
  const auth = await socket.verifyToken(request.token).catch((error: unknown) => {
    if (!(error instanceof InvalidToken)) throw error;
    const reason = error.message === "JWT expired" ? tokenExpired : error.message;
    throw new JoinError(`InvalidJWTToken: ${reason}`);
  });
  const caller = socket.addCaller(auth);
  if (!caller.spend("joins", 1)) throw new JoinError(tooManyJoins);
  if (!socket.joinBytes.reserve(request.reservedBytes)) {
    throw new JoinError("ChannelRateLimitReached: Too many channels");
  }
  return { auth, caller };
}
