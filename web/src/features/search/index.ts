export { Search } from "./components/search.tsx";
