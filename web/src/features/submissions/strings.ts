/**
 * Interface texts of submissions that are quoted by the specification or used in several places.
 */
export const submissionStrings = {
  missingFields: "Please fill in all required fields.",
  wrongImage: "Please upload a JPG or PNG image.",
  unreadableImage: "We couldn't read this image. Please choose another JPG or PNG.",
  imageTooLarge: "Image size must be less than 5MB.",
  failed: "Failed to create submission. Please try again.",
  created: "Submission created successfully!",
  feedFailed: "We couldn't load the submissions",
} as const;
