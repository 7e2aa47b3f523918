/**
 * A link to where this browser stopped reading a story, if it did. `rememberPlaces` sets its address, which shows it; its room is
 * reserved.
 */
export const ContinueReading = ({ storyId, path }: { storyId: string; path: string }) => (
  // oxlint-disable-next-line jsx-a11y/anchor-is-valid -- the script sets the address
  <a
    data-continue={storyId}
    data-path={path}
    data-online
    className="inline-flex min-h-10 items-center rounded-md px-3 text-sm font-semibold text-accent hover:bg-hover not-[[href]]:invisible noscript:hidden pointer-coarse:min-h-11"
  >
    <span>
      Continue<span className="max-sm:sr-only"> where I stopped</span>
    </span>
  </a>
)
