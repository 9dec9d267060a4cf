import type { RouteObject } from "react-router";
import { courseReceiptPath, receiptPath, vatDocumentPath } from "@/domain/paths.ts";
import { page } from "./page.ts";

/** Receipts and VAT documents, each on a page that prints well. */
export const receiptRoutes: RouteObject[] = [
  page(
    courseReceiptPath(":purchaseId"),
    "Receipt",
    async () =>
      (await import("@/features/selling/pages/course-receipt-page.tsx")).CourseReceiptPage,
  ),
  page(
    receiptPath(":invoiceId"),
    "Receipt",
    async () => (await import("@/features/billing/pages/receipt-page.tsx")).ReceiptPage,
  ),
  page(
    vatDocumentPath(":number"),
    "Receipt",
    async () => (await import("@/features/billing/pages/vat-document-page.tsx")).VatDocumentPage,
  ),
];
