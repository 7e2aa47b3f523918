const AFTER =
  /(?:&(?:gt|quot);|[.,;:!?'"*~)\]}>|]|%(?:2[01279ACE]|3[A-CEF]|5D|60|7[CD]|C2%A0|C2%BB|E2%80%(?:8B|99|9D|A6)|E3%80%8[12])){1,8}$/i

/**
 * Returns a path without the signs, spaces and quotation marks at its end that mail and chats take for a part of an address. None of
 * ours ends in them.
 */
export const withoutPunctuation = (pathname: string): string => pathname.replace(AFTER, '')
