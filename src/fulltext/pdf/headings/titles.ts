/** Titles of common sections in papers of any field, without number. */
const known = new RegExp(
  `^(${[
    'abstract',
    '(\\w+ )?introduction',
    'background',
    '(materials?|patients?|subjects|animals|participants)( and |/|, ?| & )(methods?|materials)',
    'methods?( and (materials|procedures))?',
    'methodology',
    'theory',
    'experimental( section| procedures?| part| methods?| design| details)?',
    'results?',
    'results? (and|&) discussions?',
    'discussions?',
    'conclusions?( and .*)?',
    'concluding remarks',
    'references',
    'bibliography',
    'literature cited',
    'acknowledge?ments?',
    'funding( (information|sources?|statement))?',
    '(supplementary|supporting|additional|supplemental) (information|materials?|data|files?)',
    'related works?',
    'appendix.*',
    'data (availability|accessibility).*',
    'availability of data.*',
    '(conflicts?|declarations?) of (competing )?interests?( statement)?',
    '(competing|declaration of) interests?',
    'disclosures?( statement)?',
    "author(s['’]?|['’]s)? contributions?( statement)?",
    'keywords?',
    'key ?words',
    'abbreviations( used)?',
    'limitations',
    'summary',
    'ethic(s|al) (approval|statement|considerations?).*',
    'consent (for|to) .*',
    'evaluation',
    'experiments',
    'discussion and conclusions?',
    'statistical analys[ie]s',
    'future (work|directions|perspectives)',
    'notes',
    'case (report|presentation|description)',
    'objectives?',
    "publisher['’]s note",
    'study (design|population)',
    'about the authors?',
    'orcid'
  ].join('|')})[.:]?$`,
  'i'
)

/** Whether a text is the title of a common section. Expects no number. */
export const isKnownHeading = (text: string): boolean => text.length < 70 && known.test(text)

const topSection = new RegExp(
  '^(introduction|background|(materials?|patients?|subjects)( and | & )methods?|methods?( and materials)?|experimental( section)?|' +
  'results?( and discussions?)?|discussions?|conclusions?|references|related work)[.:]?$',
  'i'
)

/** Whether a text is the title of a section that is nearly always on the first level. */
export const isTopSection = (text: string): boolean => topSection.test(text)
