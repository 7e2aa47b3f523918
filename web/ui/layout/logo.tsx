/** The logo: a trail that climbs past two markers. */
export function Logo({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" className={className} aria-hidden="true">
      <path
        d="M7 26.5h9.5a5.25 5.25 0 0 0 0-10.5h-2a4.75 4.75 0 0 1 0-9.5H24"
        className="stroke-current"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <circle cx="7" cy="26.5" r="3.75" className="fill-current" />
      <circle cx="24.5" cy="6.5" r="5" className="fill-accent" />
    </svg>
  )
}

/** The logo with the name beside it. */
export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 text-ink">
      <Logo />
      <span className="text-lg font-semibold tracking-tight">Milepost</span>
    </span>
  )
}
