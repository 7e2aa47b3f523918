import { type ComponentProps, type ComponentType, createContext, use } from 'react'
import type { Link as RoutedLink } from 'react-router'

type LinkProps = ComponentProps<typeof RoutedLink>

/** The component that navigates within the app; null on public pages, whose links load documents. */
export const LinkContext = createContext<ComponentType<LinkProps> | null>(null)

/** A link within the site: one of the router in the app, an ordinary one on public pages. */
export function Link(props: LinkProps) {
  const Routed = use(LinkContext)
  if (Routed) return <Routed {...props} />
  const { to, ...rest } = props
  return <a href={String(to)} {...rest} />
}
