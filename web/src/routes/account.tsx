import { AccountPage } from "@/features/account/public.ts";

export default function AccountRoute() {
  return <AccountPage />;
}
