import { loadSuccessPage } from "@/features/billing/index.ts";

const SuccessPage = await loadSuccessPage();
export default SuccessPage;
