/** What stands in the place of a build's fingerprint in a release, which has the built web app and not its sources. */
export const releasedStamp: string;
