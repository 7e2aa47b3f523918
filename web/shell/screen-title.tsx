/** The title of the browser's tab, and what is announced when a screen opens. Every screen renders one. */
export function ScreenTitle({ children }: { children: string }) {
  return <title>{`${children} · Milepost`}</title>
}
