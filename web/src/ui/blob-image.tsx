import { useEffect, useRef, type ComponentProps } from "react";

export interface BlobImageProps extends Omit<ComponentProps<"img">, "src" | "ref" | "alt"> {
  readonly blob: Blob;
  readonly alt: string;
}

/** A picture that is in memory, such as one just chosen. */
export function BlobImage({ blob, alt, ...rest }: BlobImageProps) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const address = URL.createObjectURL(blob);
    if (image.current) image.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [blob]);
  return <img ref={image} alt={alt} {...rest} />;
}
