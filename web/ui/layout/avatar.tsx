import { clsx } from 'clsx'
import { firstVisible } from '#contract/parts/characters.ts'

type AvatarProps = {
  name: string
  pictureURL?: string | undefined
  /** The size of the picture and of the letter. */
  className?: string
}

/**
 * The picture of a person beside their name, or its first letter. Pictures of other servers are not shown, because those servers
 * would learn who reads what.
 */
export function Avatar({ name, pictureURL, className = '-my-1 size-5 text-[0.65rem]' }: AvatarProps) {
  const initial = firstVisible(name).toUpperCase() || '?'
  const shape = clsx('inline-grid shrink-0 place-items-center rounded-full align-middle', className)
  return pictureURL?.startsWith('/') ? (
    <img src={pictureURL} alt="" className={clsx(shape, 'bg-sunken object-cover')} />
  ) : (
    <span className={clsx(shape, 'bg-ink font-semibold text-surface')} aria-hidden="true">
      {initial}
    </span>
  )
}

/** The picture of an author before their name in a sentence, followed by a space; nothing if there is none. */
export function AuthorPicture({ url }: { url: string | undefined }) {
  return (
    url !== undefined && (
      <>
        <Avatar name="" pictureURL={url} />{' '}
      </>
    )
  )
}
