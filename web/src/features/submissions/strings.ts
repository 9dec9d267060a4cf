/** Texts of learning submissions that others rely on word for word, or that stand in several places. */
export const submissionStrings = {
  missingFields: "Please fill in all required fields.",
  wrongImage: "Please upload a JPG or PNG image.",
  unreadableImage: "This picture could not be read. Please choose another JPG or PNG.",
  imageTooLarge: "Image size must be less than 5MB.",
  failed: "Failed to create submission. Please try again.",
  created: "Submission created successfully!",
  feedFailed: "The submissions could not be loaded",
} as const;
