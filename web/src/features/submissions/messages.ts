/** Every text of learning submissions that others rely on word for word. */
export const submissionMessages = {
  missingFields: "Please fill in all required fields.",
  wrongImage: "Please upload a JPG or PNG image.",
  imageTooLarge: "Image size must be less than 5MB.",
  failed: "Failed to create submission. Please try again.",
  created: "Submission created successfully!",
} as const;
