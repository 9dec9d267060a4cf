import { loadSuccessPage } from "@/features/billing/public.ts";

const SuccessPage = await loadSuccessPage();
export default SuccessPage;
