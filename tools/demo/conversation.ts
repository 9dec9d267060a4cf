import type { Calendar } from "./moments.ts";
import { readRoom, type Line } from "./read-room.ts";
import { accountabilityRoom } from "./rooms/accountability.ts";
import { cashFlowRoom } from "./rooms/cash-flow.ts";
import { firstClientsRoom } from "./rooms/first-clients.ts";
import { generalRoom } from "./rooms/general.ts";
import { motivationRoom } from "./rooms/motivation.ts";
import { offersAndPricingRoom } from "./rooms/offers-and-pricing.ts";
import { productivityRoom } from "./rooms/productivity.ts";
import { readingCircleRoom } from "./rooms/reading-circle.ts";
import { skillsWorkshopRoom } from "./rooms/skills-workshop.ts";
import { successRoom } from "./rooms/success.ts";

/** The rooms that are in use, with the level each opens at. The other rooms of the product are still quiet. */
export const usedRooms: readonly { id: string; level: number; source: string }[] = [
  { id: "general", level: 1, source: generalRoom },
  { id: "accountability", level: 1, source: accountabilityRoom },
  { id: "motivation", level: 1, source: motivationRoom },
  { id: "productivity", level: 1, source: productivityRoom },
  { id: "success", level: 1, source: successRoom },
  { id: "reading-circle", level: 2, source: readingCircleRoom },
  { id: "skills-workshop", level: 2, source: skillsWorkshopRoom },
  { id: "first-clients", level: 3, source: firstClientsRoom },
  { id: "offers-and-pricing", level: 3, source: offersAndPricingRoom },
  { id: "cash-flow", level: 4, source: cashFlowRoom },
];

/** Every message of the demo, oldest first. */
export function readConversation(calendar: Calendar): Line[] {
  const lines = usedRooms.flatMap(({ id, source }, place) =>
    readRoom(id, source, calendar, 1 + place * 1000),
  );
  return lines.toSorted((left, right) => left.at - right.at);
}
