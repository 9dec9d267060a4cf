/** The public bucket of the pictures of articles and courses. */
export const contentPictureBucket = "content-pictures";

const pathOfBucket = `/storage/v1/object/public/${contentPictureBucket}/`;

/** The address by which an article or a course names its picture. It has no origin, so that it stays right when the server moves. */
export function contentPictureAddress(name: string): string {
  return `${pathOfBucket}${name}`;
}

/** Name in the bucket of the picture that an address names; null for other addresses. */
export function contentPictureName(address: string | null): string | null {
  if (address?.startsWith(pathOfBucket) !== true) return null;
  const name = address.slice(pathOfBucket.length);
  return /^[0-9a-f-]{36}-\d{1,20}\.(?:jpg|png)$/.test(name) ? name : null;
}
