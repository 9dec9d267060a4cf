export { contentKey, useContentSupply } from "./queries.ts";
