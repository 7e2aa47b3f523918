import { clsx } from 'clsx'

type AvatarProps = {
  name: string
  pictureURL?: string | undefined
  /** Its size, and that of the letter. */
  className?: string
}

/**
 * The picture of a person beside their name, or the first letter of it. Pictures of other servers are not shown: these would
 * learn who reads what.
 */
export function Avatar({ name, pictureURL, className = '-my-1 size-5 text-[0.65rem]' }: AvatarProps) {
  const [initial = '?'] = name.toUpperCase()
  const shape = clsx('inline-grid shrink-0 place-items-center rounded-full align-middle', className)
  return pictureURL?.startsWith('/') ? (
    <img src={pictureURL} alt="" className={clsx(shape, 'bg-sunken object-cover')} />
  ) : (
    <span className={clsx(shape, 'bg-ink font-semibold text-surface')} aria-hidden="true">
      {initial}
    </span>
  )
}

/** The picture of an author before their name in a sentence, with the space between them; nothing where there is none. */
export function AuthorPicture({ url }: { url: string | undefined }) {
  return (
    url !== undefined && (
      <>
        <Avatar name="" pictureURL={url} />{' '}
      </>
    )
  )
}
