import { prerender } from "react-dom/static";
import { StaticRouter } from "react-router";
import { brand } from "@/domain/brand.ts";
import { cutToCharacters } from "@/domain/character-count.ts";
import { contentPictureName } from "@/domain/content-pictures.ts";
import { paths, salePath } from "@/domain/paths.ts";
import { CoverPicture, ReadingText } from "@/features/library/index.ts";
import { pictureBucket, profilePictureName } from "@/lib/profile-picture-url.ts";
import { TextLink } from "@/ui/text-link.tsx";
import { PublicFrame } from "./components/public-frame.tsx";
import { NoSale, SaleBody, saleCoverSize } from "./components/sale-body.tsx";
import { toSale, type Sale } from "./model/sale.ts";
import { sellingStrings } from "./strings.ts";

/** What the page needs besides the course. */
export interface SaleSite {
  /** Public origin of the site, without a trailing slash. */
  readonly origin: string;
  /** Addresses of the app's stylesheets. */
  readonly stylesheets: readonly string[];
}

/** Longer descriptions are cut by search engines. */
const maxDescription = 300;

/**
 * The page of a course on sale as a whole HTML document without a script, for visitors and search engines.
 * @param offer what the database says of the course; null when it is not on sale.
 * @throws when the offer has another shape, or its free lesson cannot be set.
 */
export async function renderSale(offer: unknown, site: SaleSite): Promise<string> {
  const sale = offer === null ? null : toSale(offer);
  const errors: unknown[] = [];
  const { prelude } = await prerender(<SaleDocument sale={sale} site={site} />, {
    // Nothing is left for a script to put in its place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void errors.push(error),
  });
  const html = await new Response(prelude).text();
  if (errors.length > 0) throw new Error("The page was not rendered whole", { cause: errors[0] });
  return html;
}

function SaleDocument({ sale, site }: { readonly sale: Sale | null; readonly site: SaleSite }) {
  return (
    <html lang={brand.locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf7" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0d0f15" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {site.stylesheets.map((address) => (
          <link key={address} rel="stylesheet" href={address} />
        ))}
        {sale === null ? (
          <>
            <title>{`${sellingStrings.noSale} · ${brand.name}`}</title>
            <meta name="robots" content="noindex" />
          </>
        ) : (
          <SaleHead sale={sale} origin={site.origin} />
        )}
      </head>
      <body>
        <StaticRouter location={sale === null ? paths.landing : salePath(sale.slug)}>
          <PublicFrame
            link={<TextLink to={paths.yourCourses}>{sellingStrings.yourCourses}</TextLink>}
          >
            {sale === null ? (
              <NoSale />
            ) : (
              <SaleBody
                sale={sale}
                cover={
                  <CoverPicture
                    {...sale.cover}
                    origins={[site.origin]}
                    className={saleCoverSize(sale)}
                  />
                }
                portrait={portraitOf(sale, site.origin)}
                lesson={<ReadingText markdown={sale.freeLesson?.content ?? ""} />}
              />
            )}
          </PublicFrame>
        </StaticRouter>
      </body>
    </html>
  );
}

/** The mentor's picture in the product's own bucket, whatever server the profile's address names. */
function portraitOf({ mentorPicture }: Sale, origin: string): string | null {
  const name = profilePictureName(mentorPicture);
  return name === null
    ? null
    : `${origin}/storage/v1/object/public/${pictureBucket}/${encodeURIComponent(name)}`;
}

function SaleHead({ sale, origin }: { readonly sale: Sale; readonly origin: string }) {
  const address = `${origin}${salePath(sale.slug)}`;
  const description = cutToCharacters(
    sale.description === "" ? sellingStrings.aCourseBy(sale.mentor) : sale.description,
    maxDescription,
  );
  const { imageUrl } = sale.cover;
  const properties: Readonly<Record<string, string>> = {
    "og:type": "product",
    "og:site_name": brand.name,
    "og:locale": brand.locale.replace("-", "_"),
    "og:title": sale.title,
    "og:description": description,
    "og:url": address,
    "og:image": `${origin}${contentPictureName(imageUrl) === null ? "/icons/app-512.png" : imageUrl}`,
    "product:price:amount": (sale.pricePence / 100).toFixed(2),
    "product:price:currency": brand.currency,
  };
  return (
    <>
      <title>{`${sale.title} · ${brand.name}`}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      {Object.entries(properties).map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
    </>
  );
}
