import type { AttackKind } from "../attack-kind.ts";

const perClient = 12;

/** Reads all members, through the directory and from the table. */
export const directoryReading: AttackKind = {
  name: "directory reading",
  tries:
    "every page of the directory and every profile, one after another and all at once, by members",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const { members, mentors } = client.field;
    const people = [...members, ...mentors];
    const person = client.member;
    await client.pace(perClient, async (turn) => {
      const other = people[turn % people.length]?.id ?? "";
      if (turn % 4 === 0) {
        await client.request("POST", "/rest/v1/rpc/people_page", {
          person,
          body: { page_size: 50, search: turn % 8 === 0 ? null : "a e i o u y" },
        });
      } else if (turn % 4 === 1) {
        await client.request("POST", "/rest/v1/rpc/member_profile", {
          person,
          body: { member_id: other },
        });
      } else if (turn % 4 === 2) {
        await client.request(
          "GET",
          `/rest/v1/profiles?select=id,first_name,last_name,occupation,bio&order=id&limit=1000&offset=${turn}`,
          { person },
        );
      } else {
        await client.request(
          "GET",
          `/rest/v1/profiles?select=*&id=neq.${other}&or=(bio.ilike.*a*,occupation.ilike.*e*)`,
          {
            person,
          },
        );
      }
    });
  },
};
