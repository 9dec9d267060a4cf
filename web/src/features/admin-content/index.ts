export { useContentSupply } from "./queries.ts";
