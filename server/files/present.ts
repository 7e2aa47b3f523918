import type { ProjectFile } from '#contract/files.ts'
import { DEFAULT_COVER } from '#contract/parts/covers.ts'
import type { Links } from './links.ts'
import { type FileVariant, hasMoving, widthVariants } from './storage-keys.ts'
import type { FileRecord } from './store.ts'

/** Returns the URL of a variant for one reader. */
export type UrlOf = (fileId: string, variant: FileVariant) => string

/** What URLs of files are made with. */
export type FileLinks = { links: Pick<Links, 'open' | 'personal'> }

/** Returns URLs that a person can read, or that everybody can read while the file is public. */
export function urlsFor({ links }: FileLinks, reader: { userId: string } | null): UrlOf {
  return (id, variant) => (reader ? links.personal(id, variant, reader.userId) : links.open(id, variant))
}

/** Returns the variant by which a file is shown, played or downloaded. */
export function mainVariant(file: Pick<FileRecord, 'kind' | 'type' | 'animated'>): FileVariant {
  if (file.kind !== 'image') return 'original'
  if (!file.animated) return 'widest'
  return hasMoving(file) ? 'moving' : 'original'
}

export function presentFile(row: FileRecord, urlOf: UrlOf): ProjectFile {
  return {
    _id: row.id,
    url: `/files/${row.id}`,
    name: row.name,
    kind: row.kind,
    type: row.type,
    size: row.size,
    state: row.state === 'ready' ? 'ready' : 'waiting',
    ...(row.width !== null && row.height !== null && { width: row.width, height: row.height }),
    ...(row.kind === 'image' && row.state === 'ready' && { animated: row.animated }),
    ...(row.taken_at !== null && { takenAt: row.taken_at }),
    ...(row.blur !== null && { blur: row.blur }),
    ...(row.state === 'ready' && { mediaURL: urlOf(row.id, mainVariant(row)) }),
    ...(row.widths.length > 0 && {
      sources: widthVariants(row.widths).map(({ variant, width }) => ({
        url: urlOf(row.id, variant),
        width,
      })),
    }),
  }
}

/** The cover of an entry or a project. */
export type Cover = Pick<FileRecord, 'id' | 'widths'> & { width: number; height: number }

/** A chosen cover as stored: a file, or none. Neither is the default. */
export type CoverChoice = { cover_file_id: string | null; no_cover: boolean }

/** Returns the columns of a choice; undefined if it is unchanged. */
export function coverChoice(coverFile: string | null | undefined): CoverChoice | undefined {
  if (coverFile === undefined) return undefined
  const isFile = coverFile !== null && coverFile !== DEFAULT_COVER
  return { cover_file_id: isFile ? coverFile : null, no_cover: coverFile === null }
}

/** Returns the choice that `coverChoice` stores in these columns. */
export const choiceOf = (row: CoverChoice) => row.cover_file_id ?? (row.no_cover ? null : DEFAULT_COVER)

/** Presents a choice; nothing if none was made. */
export function presentCoverChoice(row: CoverChoice): { coverFile?: string | null } {
  const coverFile = choiceOf(row)
  return coverFile === DEFAULT_COVER ? {} : { coverFile }
}

/** The file that an entry shows as its cover: the chosen one or, without a choice, its first picture. */
export const shownCover = (row: CoverChoice & { first_picture_id: string | null }): string | null =>
  row.cover_file_id ?? (row.no_cover ? null : row.first_picture_id)

/** The minimum width of a picture on a card, if the picture is wide enough. */
const CARD_WIDTH = 960

/** Returns the variant of a picture that cards show. */
export const cardVariant = (widths: readonly number[]): FileVariant =>
  widthVariants(widths).find(({ variant, width }) => variant === 'small' || width >= CARD_WIDTH)?.variant ??
  'widest'

/** Presents a cover: the widest variant, and a small one for cards. */
export function coverFields({ id, widths, width, height }: Cover, urlOf: UrlOf) {
  const small = cardVariant(widths)
  const sources = widthVariants(widths).map(({ variant, width }) => ({ url: urlOf(id, variant), width }))
  return { imageURL: urlOf(id, 'widest'), image: { smallURL: urlOf(id, small), width, height, sources } }
}
