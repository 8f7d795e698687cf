/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`dist/test/tables.test.js > TAP > the published surface is as it was accepted > prompts/list 1`] = `
{
  "prompts": [
    {
      "name": "feed_title_filter",
      "title": "Find papers in a feed by a word in the title",
      "description": "Searches the whole feed of a project for a title keyword, on the server, and lists what it finds.",
      "arguments": [
        {
          "name": "project_id",
          "title": "Project",
          "description": "UUID of the project whose feed is searched.",
          "required": true
        },
        {
          "name": "title_keyword",
          "title": "Title keyword",
          "description": "Word or words to look for, 3 to 200 characters.",
          "required": true
        },
        {
          "name": "must_read",
          "title": "Must read only",
          "description": "\\"true\\": only must-read papers; \\"false\\": only the others.",
          "required": false
        },
        {
          "name": "feedback_filter",
          "title": "Feedback",
          "description": "Only papers with this feedback: all, unrated, liked, disliked, starred, not-relevant, low-quality.",
          "required": false
        },
        {
          "name": "limit",
          "title": "How many",
          "description": "How many papers at most, 1 to 100.",
          "required": false
        }
      ]
    }
  ]
}
`

exports[`dist/test/tables.test.js > TAP > the published surface is as it was accepted > tools/list 1`] = `
{
  "tools": [
    {
      "name": "projects_list",
      "title": "List projects",
      "description": "Gives every project (standing research interest) of the user with its id, name, interest, keywords and feed size, newest first. Use it first, to get the project_id that the other tools need. When you already have an id and want one project, projects_get is shorter. Takes no arguments. Example: {}",
      "inputSchema": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "required": [
          "items",
          "total"
        ],
        "properties": {
          "items": {
            "type": "array",
            "items": {
              "type": "object",
              "required": [
                "id",
                "name",
                "interest_description",
                "positive_keywords",
                "negative_keywords",
                "sources",
                "matching_state",
                "must_read_threshold",
                "feed_threshold",
                "mode",
                "visibility",
                "created_at",
                "updated_at",
                "last_fetched_at",
                "source_states",
                "counts"
              ],
              "properties": {
                "id": {
                  "type": "string",
                  "format": "uuid",
                  "description": "UUID."
                },
                "name": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 200,
                  "pattern": "\\\\S",
                  "description": "Name of the project."
                },
                "interest_description": {
                  "type": "string",
                  "maxLength": 10000,
                  "description": "What the project is about, in plain words."
                },
                "positive_keywords": {
                  "type": "array",
                  "items": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "pattern": "\\\\S",
                    "description": "A word or phrase."
                  },
                  "maxItems": 100,
                  "description": "Words that raise a paper's score."
                },
                "negative_keywords": {
                  "type": "array",
                  "items": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "pattern": "\\\\S",
                    "description": "A word or phrase."
                  },
                  "maxItems": 100,
                  "description": "Words that exclude a paper."
                },
                "sources": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": [
                      "name",
                      "query"
                    ],
                    "properties": {
                      "name": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": 64,
                        "description": "Name of the source: arxiv, pubmed, europepmc, biorxiv, medrxiv, openalex, crossref or feed."
                      },
                      "query": {
                        "type": "string",
                        "maxLength": 2000,
                        "description": "Query in the source's own language; empty: the project's keywords. For feed, the address of an RSS or Atom feed."
                      }
                    },
                    "additionalProperties": false,
                    "description": "Where papers are fetched from."
                  },
                  "maxItems": 50,
                  "description": "Sources that fill the feed. Default for a new project: arxiv, pubmed and europepmc, searched for its keywords. An empty list: no sources."
                },
                "matching_state": {
                  "type": "string",
                  "enum": [
                    "active",
                    "paused"
                  ],
                  "description": "Whether new papers are fetched."
                },
                "must_read_threshold": {
                  "type": "number",
                  "minimum": 0,
                  "maximum": 1,
                  "description": "Minimum relevance_score of a must_read item. Default 0.6."
                },
                "feed_threshold": {
                  "type": "number",
                  "minimum": 0,
                  "maximum": 1,
                  "description": "Minimum relevance_score at which a fetched paper enters the feed. Default 0.1. Imported papers always enter."
                },
                "mode": {
                  "type": "string",
                  "enum": [
                    "auto"
                  ],
                  "description": "How the feed is filled."
                },
                "visibility": {
                  "type": "string",
                  "enum": [
                    "private"
                  ],
                  "description": "Who can see the project."
                },
                "created_at": {
                  "type": "string",
                  "format": "date-time",
                  "description": "When the project was created."
                },
                "updated_at": {
                  "type": "string",
                  "format": "date-time",
                  "description": "When its settings last changed."
                },
                "last_fetched_at": {
                  "anyOf": [
                    {
                      "type": "string",
                      "format": "date-time"
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "When papers were last fetched."
                },
                "source_states": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": [
                      "name",
                      "query",
                      "last_fetched_at",
                      "last_error",
                      "failures",
                      "papers_found",
                      "papers_entered",
                      "next_fetch_at"
                    ],
                    "properties": {
                      "name": {
                        "type": "string",
                        "description": "Name of the source."
                      },
                      "query": {
                        "type": "string",
                        "description": "The project's query for it."
                      },
                      "last_fetched_at": {
                        "anyOf": [
                          {
                            "type": "string",
                            "format": "date-time"
                          },
                          {
                            "type": "null"
                          }
                        ],
                        "description": "When the last successful fetch ended."
                      },
                      "last_error": {
                        "anyOf": [
                          {
                            "type": "string"
                          },
                          {
                            "type": "null"
                          }
                        ],
                        "description": "Why the last fetch failed, or what the source withheld; null otherwise."
                      },
                      "failures": {
                        "type": "integer",
                        "description": "Consecutive failed fetches."
                      },
                      "papers_found": {
                        "type": "integer",
                        "description": "Papers that the last fetch found."
                      },
                      "papers_entered": {
                        "type": "integer",
                        "description": "Papers of the last fetch that were new in the feed."
                      },
                      "next_fetch_at": {
                        "type": "string",
                        "format": "date-time",
                        "description": "When the next fetch is due."
                      }
                    },
                    "description": "State of one source of the project."
                  },
                  "description": "State of each source."
                },
                "counts": {
                  "type": "object",
                  "required": [
                    "papers",
                    "must_read",
                    "unrated"
                  ],
                  "properties": {
                    "papers": {
                      "type": "integer",
                      "description": "Items in the feed."
                    },
                    "must_read": {
                      "type": "integer",
                      "description": "Items classed must_read."
                    },
                    "unrated": {
                      "type": "integer",
                      "description": "Items without feedback."
                    }
                  },
                  "description": "Size of the feed."
                }
              },
              "description": "A standing research interest with its feed."
            },
            "description": "Newest first."
          },
          "total": {
            "type": "integer",
            "minimum": 0,
            "description": "Number of your projects."
          }
        }
      },
      "annotations": {
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    },
    {
      "name": "projects_get",
      "title": "Get a project",
      "description": "Gives one project: its interest description, keywords, sources, state and feed counts. Use it to learn what the user is after before judging or summarising papers. It lists no papers: use feed_get for the newest and feed_search for a subject. Without an id, call projects_list. Example: {\\"project_id\\": \\"0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11\\"}",
      "inputSchema": {
        "type": "object",
        "required": [
          "project_id"
        ],
        "properties": {
          "project_id": {
            "type": "string",
            "format": "uuid",
            "description": "The project's UUID, as projects_list gives it."
          }
        },
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "required": [
          "id",
          "name",
          "interest_description",
          "positive_keywords",
          "negative_keywords",
          "sources",
          "matching_state",
          "must_read_threshold",
          "feed_threshold",
          "mode",
          "visibility",
          "created_at",
          "updated_at",
          "last_fetched_at",
          "source_states",
          "counts"
        ],
        "properties": {
          "id": {
            "type": "string",
            "format": "uuid",
            "description": "UUID."
          },
          "name": {
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "pattern": "\\\\S",
            "description": "Name of the project."
          },
          "interest_description": {
            "type": "string",
            "maxLength": 10000,
            "description": "What the project is about, in plain words."
          },
          "positive_keywords": {
            "type": "array",
            "items": {
              "type": "string",
              "minLength": 1,
              "maxLength": 200,
              "pattern": "\\\\S",
              "description": "A word or phrase."
            },
            "maxItems": 100,
            "description": "Words that raise a paper's score."
          },
          "negative_keywords": {
            "type": "array",
            "items": {
              "type": "string",
              "minLength": 1,
              "maxLength": 200,
              "pattern": "\\\\S",
              "description": "A word or phrase."
            },
            "maxItems": 100,
            "description": "Words that exclude a paper."
          },
          "sources": {
            "type": "array",
            "items": {
              "type": "object",
              "required": [
                "name",
                "query"
              ],
              "properties": {
                "name": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 64,
                  "description": "Name of the source: arxiv, pubmed, europepmc, biorxiv, medrxiv, openalex, crossref or feed."
                },
                "query": {
                  "type": "string",
                  "maxLength": 2000,
                  "description": "Query in the source's own language; empty: the project's keywords. For feed, the address of an RSS or Atom feed."
                }
              },
              "additionalProperties": false,
              "description": "Where papers are fetched from."
            },
            "maxItems": 50,
            "description": "Sources that fill the feed. Default for a new project: arxiv, pubmed and europepmc, searched for its keywords. An empty list: no sources."
          },
          "matching_state": {
            "type": "string",
            "enum": [
              "active",
              "paused"
            ],
            "description": "Whether new papers are fetched."
          },
          "must_read_threshold": {
            "type": "number",
            "minimum": 0,
            "maximum": 1,
            "description": "Minimum relevance_score of a must_read item. Default 0.6."
          },
          "feed_threshold": {
            "type": "number",
            "minimum": 0,
            "maximum": 1,
            "description": "Minimum relevance_score at which a fetched paper enters the feed. Default 0.1. Imported papers always enter."
          },
          "mode": {
            "type": "string",
            "enum": [
              "auto"
            ],
            "description": "How the feed is filled."
          },
          "visibility": {
            "type": "string",
            "enum": [
              "private"
            ],
            "description": "Who can see the project."
          },
          "created_at": {
            "type": "string",
            "format": "date-time",
            "description": "When the project was created."
          },
          "updated_at": {
            "type": "string",
            "format": "date-time",
            "description": "When its settings last changed."
          },
          "last_fetched_at": {
            "anyOf": [
              {
                "type": "string",
                "format": "date-time"
              },
              {
                "type": "null"
              }
            ],
            "description": "When papers were last fetched."
          },
          "source_states": {
            "type": "array",
            "items": {
              "type": "object",
              "required": [
                "name",
                "query",
                "last_fetched_at",
                "last_error",
                "failures",
                "papers_found",
                "papers_entered",
                "next_fetch_at"
              ],
              "properties": {
                "name": {
                  "type": "string",
                  "description": "Name of the source."
                },
                "query": {
                  "type": "string",
                  "description": "The project's query for it."
                },
                "last_fetched_at": {
                  "anyOf": [
                    {
                      "type": "string",
                      "format": "date-time"
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "When the last successful fetch ended."
                },
                "last_error": {
                  "anyOf": [
                    {
                      "type": "string"
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "Why the last fetch failed, or what the source withheld; null otherwise."
                },
                "failures": {
                  "type": "integer",
                  "description": "Consecutive failed fetches."
                },
                "papers_found": {
                  "type": "integer",
                  "description": "Papers that the last fetch found."
                },
                "papers_entered": {
                  "type": "integer",
                  "description": "Papers of the last fetch that were new in the feed."
                },
                "next_fetch_at": {
                  "type": "string",
                  "format": "date-time",
                  "description": "When the next fetch is due."
                }
              },
              "description": "State of one source of the project."
            },
            "description": "State of each source."
          },
          "counts": {
            "type": "object",
            "required": [
              "papers",
              "must_read",
              "unrated"
            ],
            "properties": {
              "papers": {
                "type": "integer",
                "description": "Items in the feed."
              },
              "must_read": {
                "type": "integer",
                "description": "Items classed must_read."
              },
              "unrated": {
                "type": "integer",
                "description": "Items without feedback."
              }
            },
            "description": "Size of the feed."
          }
        },
        "description": "A standing research interest with its feed."
      },
      "annotations": {
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    },
    {
      "name": "feed_get",
      "title": "Read a project feed",
      "description": "Gives a project's papers, newest in the feed first, each with title, summary, relevance, the user's vote and the whole record; total counts all that match. Use it for \\"what is new\\", with since, or for the important ones, with must_read: true. For a subject, name or word use feed_search: it looks through the whole feed, this pages through it. An item is about 700 tokens: ask for 10 to 20. Example: {\\"project_id\\": \\"0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11\\", \\"since\\": \\"2026-11-13\\", \\"limit\\": 10}",
      "inputSchema": {
        "type": "object",
        "required": [
          "project_id"
        ],
        "properties": {
          "project_id": {
            "type": "string",
            "format": "uuid",
            "description": "The project's UUID, as projects_list gives it."
          },
          "must_read": {
            "type": "boolean",
            "description": "true: only items classed must_read; false: only the others. Left out: both."
          },
          "since": {
            "type": "string",
            "maxLength": 64,
            "description": "Only items that entered the feed at or after this time: an RFC 3339 date (2026-11-20, midnight UTC) or date-time (2026-11-20T08:00:00Z)."
          },
          "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many items at most, 1 to 100. An item is about 700 tokens long: 10 to 20 suit a model."
          },
          "offset": {
            "type": "integer",
            "minimum": 0,
            "maximum": 1000000000,
            "default": 0,
            "description": "How many items to pass over, for the next page."
          }
        },
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "required": [
          "items",
          "total",
          "limit",
          "offset",
          "has_more"
        ],
        "properties": {
          "items": {
            "type": "array",
            "items": {
              "type": "object",
              "required": [
                "id",
                "short_id",
                "slug",
                "project_id",
                "paper_title",
                "summary",
                "summary_origin",
                "relevance_score",
                "relevance_class",
                "must_read",
                "matching_details",
                "personalized_note",
                "ready_at",
                "feedback",
                "paper"
              ],
              "properties": {
                "id": {
                  "type": "string",
                  "format": "uuid",
                  "description": "UUID."
                },
                "short_id": {
                  "type": "string",
                  "pattern": "^[0-9a-f]{8}$",
                  "description": "The first 8 hex characters of the UUID. Two records can share one."
                },
                "slug": {
                  "type": "string",
                  "description": "The title as part of an address."
                },
                "project_id": {
                  "type": "string",
                  "format": "uuid",
                  "description": "UUID."
                },
                "paper_title": {
                  "type": "string",
                  "description": "The paper's title."
                },
                "summary": {
                  "anyOf": [
                    {
                      "type": "string"
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "Summary of the paper in a few sentences."
                },
                "summary_origin": {
                  "type": "string",
                  "enum": [
                    "abstract",
                    "model"
                  ],
                  "description": "Where the summary is from: sentences of the abstract, or a language model that the operator configured."
                },
                "relevance_score": {
                  "type": "number",
                  "minimum": 0,
                  "maximum": 1,
                  "description": "Match with the project's interest, 0 (none) to 1 (certain)."
                },
                "relevance_class": {
                  "type": "string",
                  "enum": [
                    "must_read",
                    "related"
                  ],
                  "description": "must_read from the project's threshold on, else related."
                },
                "must_read": {
                  "type": "boolean",
                  "description": "Whether relevance_class is must_read."
                },
                "matching_details": {
                  "type": "object",
                  "patternProperties": {
                    "^.*$": {}
                  },
                  "description": "The reasons for the score, as data."
                },
                "personalized_note": {
                  "anyOf": [
                    {
                      "type": "string"
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "Why the paper is in this feed, in a sentence."
                },
                "ready_at": {
                  "type": "string",
                  "format": "date-time",
                  "description": "When the item entered the feed."
                },
                "feedback": {
                  "anyOf": [
                    {
                      "type": "object",
                      "required": [
                        "vote",
                        "downvote_reason",
                        "updated_at"
                      ],
                      "properties": {
                        "vote": {
                          "type": "string",
                          "enum": [
                            "upvote",
                            "downvote",
                            "star"
                          ],
                          "description": "upvote: relevant; star: one of the best; downvote: not wanted."
                        },
                        "downvote_reason": {
                          "anyOf": [
                            {
                              "type": "string",
                              "enum": [
                                "not_relevant",
                                "low_quality"
                              ],
                              "description": "Why a downvote was given."
                            },
                            {
                              "type": "null"
                            }
                          ],
                          "description": "Why a downvote was given."
                        },
                        "updated_at": {
                          "type": "string",
                          "format": "date-time",
                          "description": "When the vote was last changed."
                        }
                      },
                      "description": "The owner's vote."
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "Your vote, null while there is none."
                },
                "paper": {
                  "type": "object",
                  "required": [
                    "id",
                    "short_id",
                    "slug",
                    "title",
                    "abstract",
                    "authors",
                    "published_date",
                    "url",
                    "pdf_url",
                    "doi",
                    "venue_name",
                    "reference_label",
                    "source",
                    "source_paper_id",
                    "external_ids",
                    "index_url",
                    "metadata",
                    "markdown_ready"
                  ],
                  "properties": {
                    "id": {
                      "type": "string",
                      "format": "uuid",
                      "description": "UUID."
                    },
                    "short_id": {
                      "type": "string",
                      "pattern": "^[0-9a-f]{8}$",
                      "description": "The first 8 hex characters of the UUID. Two records can share one."
                    },
                    "slug": {
                      "type": "string",
                      "description": "The title as part of an address."
                    },
                    "title": {
                      "type": "string",
                      "minLength": 1,
                      "description": "Title as plain text."
                    },
                    "abstract": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "Abstract as plain text."
                    },
                    "authors": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": [
                          "name"
                        ],
                        "properties": {
                          "name": {
                            "type": "string",
                            "description": "Given name first, as on the title page."
                          }
                        },
                        "description": "One author."
                      },
                      "description": "Authors in order."
                    },
                    "published_date": {
                      "anyOf": [
                        {
                          "type": "string",
                          "format": "date",
                          "description": "YYYY-MM-DD; a missing month or day reads as 01, and metadata.published says what the source stated."
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "YYYY-MM-DD; a missing month or day reads as 01, and metadata.published says what the source stated."
                    },
                    "url": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "Where a person reads about the paper."
                    },
                    "pdf_url": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "Open PDF address, only where a source states one."
                    },
                    "doi": {
                      "anyOf": [
                        {
                          "type": "string",
                          "minLength": 1,
                          "maxLength": 512
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "DOI, lower case, without resolver."
                    },
                    "venue_name": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "Journal, conference or server."
                    },
                    "reference_label": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "\\"PMID 12345678\\", \\"arXiv 2401.01234\\", \\"DOI 10.1000/xyz\\"."
                    },
                    "source": {
                      "type": "object",
                      "required": [
                        "name"
                      ],
                      "properties": {
                        "name": {
                          "type": "string",
                          "description": "pubmed, arxiv, ris, bibtex and others"
                        }
                      },
                      "description": "Where the record came from."
                    },
                    "source_paper_id": {
                      "anyOf": [
                        {
                          "type": "string",
                          "minLength": 1,
                          "maxLength": 512
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "The id within the source."
                    },
                    "external_ids": {
                      "type": "object",
                      "required": [
                        "doi",
                        "arxiv",
                        "pmid",
                        "pmcid",
                        "openalex"
                      ],
                      "properties": {
                        "doi": {
                          "anyOf": [
                            {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 512
                            },
                            {
                              "type": "null"
                            }
                          ],
                          "description": "DOI, lower case, without resolver."
                        },
                        "arxiv": {
                          "anyOf": [
                            {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 512
                            },
                            {
                              "type": "null"
                            }
                          ],
                          "description": "arXiv id without version."
                        },
                        "pmid": {
                          "anyOf": [
                            {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 512
                            },
                            {
                              "type": "null"
                            }
                          ],
                          "description": "PubMed id."
                        },
                        "pmcid": {
                          "anyOf": [
                            {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 512
                            },
                            {
                              "type": "null"
                            }
                          ],
                          "description": "PubMed Central id, with PMC."
                        },
                        "openalex": {
                          "anyOf": [
                            {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 512
                            },
                            {
                              "type": "null"
                            }
                          ],
                          "description": "OpenAlex work id, with W."
                        }
                      },
                      "description": "Identifiers in outside indexes."
                    },
                    "index_url": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "The record in the outside index (PubMed, arXiv, the DOI resolver)."
                    },
                    "metadata": {
                      "type": "object",
                      "patternProperties": {
                        "^.*$": {}
                      },
                      "description": "Whatever else the source stated: volume, issue, pages, language, keywords and others"
                    },
                    "markdown_ready": {
                      "type": "boolean",
                      "description": "Whether paper_markdown answers at once."
                    }
                  },
                  "description": "The canonical record of one publication."
                }
              },
              "description": "One paper in one project."
            },
            "description": "Newest ready_at first."
          },
          "total": {
            "type": "integer",
            "minimum": 0,
            "description": "Items that match, on all pages."
          },
          "limit": {
            "type": "integer",
            "description": "The limit applied."
          },
          "offset": {
            "type": "integer",
            "description": "The offset applied."
          },
          "has_more": {
            "type": "boolean",
            "description": "Whether more items follow this page."
          }
        }
      },
      "annotations": {
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    },
    {
      "name": "feed_search",
      "title": "Search a project feed",
      "description": "Searches titles, authors, abstracts, summaries and identifiers (DOI, PMID, arXiv id) of a project's entire feed on the server and gives the best matches first. Each word matches as a prefix (\\"neur\\" finds \\"neuronal\\"); case, accents and punctuation do not matter; there are no operators. Items with every word come first, then those with some. Use it to find papers on a subject, by a person or with an identifier; use feed_get for what is newest. No total is given: follow has_more with offset. An item is about 700 tokens: ask for 10 to 20. Example: {\\"project_id\\": \\"0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11\\", \\"q\\": \\"sleep spindles memory\\", \\"feedback_filter\\": \\"unrated\\", \\"limit\\": 10}",
      "inputSchema": {
        "type": "object",
        "required": [
          "project_id",
          "q"
        ],
        "properties": {
          "project_id": {
            "type": "string",
            "format": "uuid",
            "description": "The project's UUID, as projects_list gives it."
          },
          "q": {
            "type": "string",
            "description": "Words to look for, 3 to 200 characters after trimming. Each is a word prefix; case, accents and punctuation do not matter; there are no operators."
          },
          "feedback_filter": {
            "type": "string",
            "enum": [
              "all",
              "unrated",
              "liked",
              "disliked",
              "starred",
              "not-relevant",
              "low-quality"
            ],
            "description": "Only items with this feedback: unrated has none, liked an upvote, starred a star, disliked any downvote, not-relevant and low-quality a downvote for that reason.",
            "default": "all"
          },
          "must_read": {
            "type": "boolean",
            "description": "true: only items classed must_read; false: only the others. Left out: both."
          },
          "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many items at most, 1 to 100. An item is about 700 tokens long: 10 to 20 suit a model."
          },
          "offset": {
            "type": "integer",
            "minimum": 0,
            "maximum": 1000000000,
            "default": 0,
            "description": "How many items to pass over, for the next page."
          }
        },
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "required": [
          "items",
          "limit",
          "offset",
          "has_more",
          "query"
        ],
        "properties": {
          "items": {
            "type": "array",
            "items": {
              "type": "object",
              "required": [
                "id",
                "short_id",
                "slug",
                "project_id",
                "paper_title",
                "summary",
                "summary_origin",
                "relevance_score",
                "relevance_class",
                "must_read",
                "matching_details",
                "personalized_note",
                "ready_at",
                "feedback",
                "paper"
              ],
              "properties": {
                "id": {
                  "type": "string",
                  "format": "uuid",
                  "description": "UUID."
                },
                "short_id": {
                  "type": "string",
                  "pattern": "^[0-9a-f]{8}$",
                  "description": "The first 8 hex characters of the UUID. Two records can share one."
                },
                "slug": {
                  "type": "string",
                  "description": "The title as part of an address."
                },
                "project_id": {
                  "type": "string",
                  "format": "uuid",
                  "description": "UUID."
                },
                "paper_title": {
                  "type": "string",
                  "description": "The paper's title."
                },
                "summary": {
                  "anyOf": [
                    {
                      "type": "string"
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "Summary of the paper in a few sentences."
                },
                "summary_origin": {
                  "type": "string",
                  "enum": [
                    "abstract",
                    "model"
                  ],
                  "description": "Where the summary is from: sentences of the abstract, or a language model that the operator configured."
                },
                "relevance_score": {
                  "type": "number",
                  "minimum": 0,
                  "maximum": 1,
                  "description": "Match with the project's interest, 0 (none) to 1 (certain)."
                },
                "relevance_class": {
                  "type": "string",
                  "enum": [
                    "must_read",
                    "related"
                  ],
                  "description": "must_read from the project's threshold on, else related."
                },
                "must_read": {
                  "type": "boolean",
                  "description": "Whether relevance_class is must_read."
                },
                "matching_details": {
                  "type": "object",
                  "patternProperties": {
                    "^.*$": {}
                  },
                  "description": "The reasons for the score, as data."
                },
                "personalized_note": {
                  "anyOf": [
                    {
                      "type": "string"
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "Why the paper is in this feed, in a sentence."
                },
                "ready_at": {
                  "type": "string",
                  "format": "date-time",
                  "description": "When the item entered the feed."
                },
                "feedback": {
                  "anyOf": [
                    {
                      "type": "object",
                      "required": [
                        "vote",
                        "downvote_reason",
                        "updated_at"
                      ],
                      "properties": {
                        "vote": {
                          "type": "string",
                          "enum": [
                            "upvote",
                            "downvote",
                            "star"
                          ],
                          "description": "upvote: relevant; star: one of the best; downvote: not wanted."
                        },
                        "downvote_reason": {
                          "anyOf": [
                            {
                              "type": "string",
                              "enum": [
                                "not_relevant",
                                "low_quality"
                              ],
                              "description": "Why a downvote was given."
                            },
                            {
                              "type": "null"
                            }
                          ],
                          "description": "Why a downvote was given."
                        },
                        "updated_at": {
                          "type": "string",
                          "format": "date-time",
                          "description": "When the vote was last changed."
                        }
                      },
                      "description": "The owner's vote."
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "Your vote, null while there is none."
                },
                "paper": {
                  "type": "object",
                  "required": [
                    "id",
                    "short_id",
                    "slug",
                    "title",
                    "abstract",
                    "authors",
                    "published_date",
                    "url",
                    "pdf_url",
                    "doi",
                    "venue_name",
                    "reference_label",
                    "source",
                    "source_paper_id",
                    "external_ids",
                    "index_url",
                    "metadata",
                    "markdown_ready"
                  ],
                  "properties": {
                    "id": {
                      "type": "string",
                      "format": "uuid",
                      "description": "UUID."
                    },
                    "short_id": {
                      "type": "string",
                      "pattern": "^[0-9a-f]{8}$",
                      "description": "The first 8 hex characters of the UUID. Two records can share one."
                    },
                    "slug": {
                      "type": "string",
                      "description": "The title as part of an address."
                    },
                    "title": {
                      "type": "string",
                      "minLength": 1,
                      "description": "Title as plain text."
                    },
                    "abstract": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "Abstract as plain text."
                    },
                    "authors": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": [
                          "name"
                        ],
                        "properties": {
                          "name": {
                            "type": "string",
                            "description": "Given name first, as on the title page."
                          }
                        },
                        "description": "One author."
                      },
                      "description": "Authors in order."
                    },
                    "published_date": {
                      "anyOf": [
                        {
                          "type": "string",
                          "format": "date",
                          "description": "YYYY-MM-DD; a missing month or day reads as 01, and metadata.published says what the source stated."
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "YYYY-MM-DD; a missing month or day reads as 01, and metadata.published says what the source stated."
                    },
                    "url": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "Where a person reads about the paper."
                    },
                    "pdf_url": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "Open PDF address, only where a source states one."
                    },
                    "doi": {
                      "anyOf": [
                        {
                          "type": "string",
                          "minLength": 1,
                          "maxLength": 512
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "DOI, lower case, without resolver."
                    },
                    "venue_name": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "Journal, conference or server."
                    },
                    "reference_label": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "\\"PMID 12345678\\", \\"arXiv 2401.01234\\", \\"DOI 10.1000/xyz\\"."
                    },
                    "source": {
                      "type": "object",
                      "required": [
                        "name"
                      ],
                      "properties": {
                        "name": {
                          "type": "string",
                          "description": "pubmed, arxiv, ris, bibtex and others"
                        }
                      },
                      "description": "Where the record came from."
                    },
                    "source_paper_id": {
                      "anyOf": [
                        {
                          "type": "string",
                          "minLength": 1,
                          "maxLength": 512
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "The id within the source."
                    },
                    "external_ids": {
                      "type": "object",
                      "required": [
                        "doi",
                        "arxiv",
                        "pmid",
                        "pmcid",
                        "openalex"
                      ],
                      "properties": {
                        "doi": {
                          "anyOf": [
                            {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 512
                            },
                            {
                              "type": "null"
                            }
                          ],
                          "description": "DOI, lower case, without resolver."
                        },
                        "arxiv": {
                          "anyOf": [
                            {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 512
                            },
                            {
                              "type": "null"
                            }
                          ],
                          "description": "arXiv id without version."
                        },
                        "pmid": {
                          "anyOf": [
                            {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 512
                            },
                            {
                              "type": "null"
                            }
                          ],
                          "description": "PubMed id."
                        },
                        "pmcid": {
                          "anyOf": [
                            {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 512
                            },
                            {
                              "type": "null"
                            }
                          ],
                          "description": "PubMed Central id, with PMC."
                        },
                        "openalex": {
                          "anyOf": [
                            {
                              "type": "string",
                              "minLength": 1,
                              "maxLength": 512
                            },
                            {
                              "type": "null"
                            }
                          ],
                          "description": "OpenAlex work id, with W."
                        }
                      },
                      "description": "Identifiers in outside indexes."
                    },
                    "index_url": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "The record in the outside index (PubMed, arXiv, the DOI resolver)."
                    },
                    "metadata": {
                      "type": "object",
                      "patternProperties": {
                        "^.*$": {}
                      },
                      "description": "Whatever else the source stated: volume, issue, pages, language, keywords and others"
                    },
                    "markdown_ready": {
                      "type": "boolean",
                      "description": "Whether paper_markdown answers at once."
                    }
                  },
                  "description": "The canonical record of one publication."
                }
              },
              "description": "One paper in one project."
            },
            "description": "Best match first."
          },
          "limit": {
            "type": "integer",
            "description": "The limit applied."
          },
          "offset": {
            "type": "integer",
            "description": "The offset applied."
          },
          "has_more": {
            "type": "boolean",
            "description": "Whether more items follow this page."
          },
          "query": {
            "type": "string",
            "description": "The query as processed: its terms joined by a space, or by OR where some items on the page match only some of them."
          }
        }
      },
      "annotations": {
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    },
    {
      "name": "feed_atom_url",
      "title": "Get the address of a project's Atom feed",
      "description": "Gives the address of a project's Atom feed (its newest 50 papers), for a feed reader or a reference manager. Use it when the user wants to subscribe outside of this conversation; to read the papers yourself, use feed_get. The address holds a private token: give it to the user alone. Example: {\\"project_id\\": \\"0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11\\"}",
      "inputSchema": {
        "type": "object",
        "required": [
          "project_id"
        ],
        "properties": {
          "project_id": {
            "type": "string",
            "format": "uuid",
            "description": "The project's UUID, as projects_list gives it."
          }
        },
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "required": [
          "project_id",
          "url"
        ],
        "properties": {
          "project_id": {
            "type": "string",
            "format": "uuid",
            "description": "UUID."
          },
          "url": {
            "type": "string",
            "format": "uri",
            "description": "Address of the Atom feed. It holds a token: anyone with the address can read the feed."
          }
        }
      },
      "annotations": {
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    },
    {
      "name": "paper_get",
      "title": "Get a paper",
      "description": "Gives one paper: title, authors, abstract, identifiers, links, venue, metadata, whether its full text is ready (markdown_ready), and which of the user's feeds have it. Use it for details or a citation, with an id or short_id from feed_get or feed_search. For the full text use paper_markdown. pdf_url is null unless a source states an open PDF. Example: {\\"paper_id\\": \\"3f9a1c20\\"}",
      "inputSchema": {
        "type": "object",
        "required": [
          "paper_id"
        ],
        "properties": {
          "paper_id": {
            "type": "string",
            "pattern": "^\\\\s*([0-9A-Fa-f]{8}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})\\\\s*$",
            "description": "Which paper: the UUID or the short_id (8 hex characters) of the paper, or of one of your feed items. Case does not matter."
          }
        },
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "required": [
          "id",
          "short_id",
          "slug",
          "title",
          "abstract",
          "authors",
          "published_date",
          "url",
          "pdf_url",
          "doi",
          "venue_name",
          "reference_label",
          "source",
          "source_paper_id",
          "external_ids",
          "index_url",
          "metadata",
          "markdown_ready",
          "projects",
          "versions"
        ],
        "properties": {
          "id": {
            "type": "string",
            "format": "uuid",
            "description": "UUID."
          },
          "short_id": {
            "type": "string",
            "pattern": "^[0-9a-f]{8}$",
            "description": "The first 8 hex characters of the UUID. Two records can share one."
          },
          "slug": {
            "type": "string",
            "description": "The title as part of an address."
          },
          "title": {
            "type": "string",
            "minLength": 1,
            "description": "Title as plain text."
          },
          "abstract": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "Abstract as plain text."
          },
          "authors": {
            "type": "array",
            "items": {
              "type": "object",
              "required": [
                "name"
              ],
              "properties": {
                "name": {
                  "type": "string",
                  "description": "Given name first, as on the title page."
                }
              },
              "description": "One author."
            },
            "description": "Authors in order."
          },
          "published_date": {
            "anyOf": [
              {
                "type": "string",
                "format": "date",
                "description": "YYYY-MM-DD; a missing month or day reads as 01, and metadata.published says what the source stated."
              },
              {
                "type": "null"
              }
            ],
            "description": "YYYY-MM-DD; a missing month or day reads as 01, and metadata.published says what the source stated."
          },
          "url": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "Where a person reads about the paper."
          },
          "pdf_url": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "Open PDF address, only where a source states one."
          },
          "doi": {
            "anyOf": [
              {
                "type": "string",
                "minLength": 1,
                "maxLength": 512
              },
              {
                "type": "null"
              }
            ],
            "description": "DOI, lower case, without resolver."
          },
          "venue_name": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "Journal, conference or server."
          },
          "reference_label": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "\\"PMID 12345678\\", \\"arXiv 2401.01234\\", \\"DOI 10.1000/xyz\\"."
          },
          "source": {
            "type": "object",
            "required": [
              "name"
            ],
            "properties": {
              "name": {
                "type": "string",
                "description": "pubmed, arxiv, ris, bibtex and others"
              }
            },
            "description": "Where the record came from."
          },
          "source_paper_id": {
            "anyOf": [
              {
                "type": "string",
                "minLength": 1,
                "maxLength": 512
              },
              {
                "type": "null"
              }
            ],
            "description": "The id within the source."
          },
          "external_ids": {
            "type": "object",
            "required": [
              "doi",
              "arxiv",
              "pmid",
              "pmcid",
              "openalex"
            ],
            "properties": {
              "doi": {
                "anyOf": [
                  {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 512
                  },
                  {
                    "type": "null"
                  }
                ],
                "description": "DOI, lower case, without resolver."
              },
              "arxiv": {
                "anyOf": [
                  {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 512
                  },
                  {
                    "type": "null"
                  }
                ],
                "description": "arXiv id without version."
              },
              "pmid": {
                "anyOf": [
                  {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 512
                  },
                  {
                    "type": "null"
                  }
                ],
                "description": "PubMed id."
              },
              "pmcid": {
                "anyOf": [
                  {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 512
                  },
                  {
                    "type": "null"
                  }
                ],
                "description": "PubMed Central id, with PMC."
              },
              "openalex": {
                "anyOf": [
                  {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 512
                  },
                  {
                    "type": "null"
                  }
                ],
                "description": "OpenAlex work id, with W."
              }
            },
            "description": "Identifiers in outside indexes."
          },
          "index_url": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "The record in the outside index (PubMed, arXiv, the DOI resolver)."
          },
          "metadata": {
            "type": "object",
            "patternProperties": {
              "^.*$": {}
            },
            "description": "Whatever else the source stated: volume, issue, pages, language, keywords and others"
          },
          "markdown_ready": {
            "type": "boolean",
            "description": "Whether paper_markdown answers at once."
          },
          "projects": {
            "type": "array",
            "items": {
              "type": "object",
              "required": [
                "project_id",
                "feed_item_id"
              ],
              "properties": {
                "project_id": {
                  "type": "string",
                  "format": "uuid",
                  "description": "UUID."
                },
                "feed_item_id": {
                  "type": "string",
                  "format": "uuid",
                  "description": "UUID."
                }
              },
              "description": "One of your feeds."
            },
            "description": "Your feeds that have the paper."
          },
          "versions": {
            "type": "array",
            "items": {
              "type": "object",
              "required": [
                "paper_id",
                "form"
              ],
              "properties": {
                "paper_id": {
                  "type": "string",
                  "format": "uuid",
                  "description": "UUID."
                },
                "form": {
                  "type": "string",
                  "enum": [
                    "preprint",
                    "published"
                  ],
                  "description": "Form of the other paper."
                }
              },
              "description": "Another form of the same work."
            },
            "description": "Preprint and published form, where you have both."
          }
        },
        "description": "A paper, and where you have it."
      },
      "annotations": {
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    },
    {
      "name": "paper_markdown",
      "title": "Read a paper as Markdown",
      "description": "Gives a paper's full text as Markdown. status is \\"ready\\" with the text in markdown; \\"queued\\" when it is being converted: go on with other work and call again after a minute; or \\"unavailable\\" when no full text is known: use the abstract of paper_get. A whole paper can be 10,000 to 30,000 tokens; when an abstract will do, use paper_get. Example: {\\"paper_id\\": \\"3f9a1c20\\"}",
      "inputSchema": {
        "type": "object",
        "required": [
          "paper_id"
        ],
        "properties": {
          "paper_id": {
            "type": "string",
            "pattern": "^\\\\s*([0-9A-Fa-f]{8}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})\\\\s*$",
            "description": "Which paper: the UUID or the short_id (8 hex characters) of the paper, or of one of your feed items. Case does not matter."
          }
        },
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "required": [
          "status"
        ],
        "properties": {
          "status": {
            "type": "string",
            "enum": [
              "ready",
              "queued",
              "unavailable"
            ],
            "description": "ready: the text is included; queued: a job converts it, call again later; unavailable: no source of full text is known."
          },
          "paper_id": {
            "type": "string",
            "format": "uuid",
            "description": "ready: the paper's UUID."
          },
          "markdown": {
            "type": "string",
            "description": "ready: the full text."
          },
          "mime_type": {
            "type": "string",
            "enum": [
              "text/markdown"
            ],
            "description": "ready: type of the text."
          },
          "markdown_ready": {
            "type": "boolean",
            "enum": [
              true
            ],
            "description": "ready: always true."
          },
          "detail": {
            "type": "string",
            "description": "queued, unavailable: the status as a sentence."
          },
          "code": {
            "type": "string",
            "description": "queued: markdown_queued; unavailable: markdown_source_unavailable."
          },
          "job_id": {
            "type": "string",
            "format": "uuid",
            "description": "queued: the job that converts the text."
          },
          "created": {
            "type": "boolean",
            "description": "queued: whether this call queued the job."
          }
        }
      },
      "annotations": {
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    }
  ]
}
`
