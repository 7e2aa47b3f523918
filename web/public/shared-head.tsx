import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'

/** The document head of a page that a share link shows: nothing in it helps to find the page. */
export function SharedHead({ title }: { title: string }) {
  return (
    <>
      <ScreenTitle>{title}</ScreenTitle>
      <NoIndex />
    </>
  )
}
