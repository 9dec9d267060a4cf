export { ClaimsView } from "./components/claims-view.tsx";
export { PayoutsView } from "./components/payouts-view.tsx";
