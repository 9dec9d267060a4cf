import { benchAnnouncement } from "./announcement.ts";
import { benchChatRoom } from "./chat-room.ts";
import { benchEngagementRank } from "./engagement-rank.ts";
import { benchLibraryHome } from "./library-home.ts";
import { benchMailSenders } from "./mail-senders.ts";
import { benchMemberSearch } from "./member-search.ts";
import { benchPageLoad } from "./page-load.ts";
import { benchPaymentSearch } from "./payment-search.ts";
import { benchRealtimeFanOut } from "./realtime-fan-out.ts";
import { benchRestRead } from "./rest-read.ts";
import { benchRoomPages } from "./room-pages.ts";
import { benchSharedDecoder } from "./shared-decoder.ts";
import { benchStudioAnalytics } from "./studio-analytics.ts";
import { benchThreeHosts } from "./three-hosts.ts";

/** `npm run bench [NAME…]`: compares each figure with its limit and with a peer measured in the same run. */
const benchmarks = {
  "engagement-rank": benchEngagementRank,
  "member-search": benchMemberSearch,
  "payment-search": benchPaymentSearch,
  "studio-analytics": benchStudioAnalytics,
  "rest-read": benchRestRead,
  "library-home": benchLibraryHome,
  "room-pages": benchRoomPages,
  announcement: benchAnnouncement,
  "mail-senders": benchMailSenders,
  "chat-room": benchChatRoom,
  "page-load": benchPageLoad,
  "realtime-fan-out": benchRealtimeFanOut,
  "shared-decoder": benchSharedDecoder,
  "three-hosts": benchThreeHosts,
};

const names = process.argv.slice(2);
for (const [name, bench] of Object.entries(benchmarks)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const { title, figures, holds } = await bench();
  process.stdout.write(`${holds ? "holds " : "MISSES"}  ${title}: ${figures}\n`);
  if (!holds) process.exitCode = 1;
}
