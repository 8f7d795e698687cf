"""Runs queries on SQLite FTS5: reads papers and queries as JSON lines, prints the milliseconds of each query.

Measures inside this process, without client or socket. Like a service, it reads the rows of each result.
"""
import json
import re
import sqlite3
import sys
import time

papers_file, queries_file, database, rounds, weights = sys.argv[1:6]
connection = sqlite3.connect(database)
connection.execute("create virtual table papers using fts5(title, authors, summary, abstract, tokenize = 'porter unicode61', prefix = '2 3')")
connection.execute('create table item (id integer primary key, must_read integer, vote text)')
with open(papers_file) as lines:
    for at, line in enumerate(lines):
        paper = json.loads(line)
        connection.execute('insert into papers (rowid, title, authors, summary, abstract) values (?, ?, ?, ?, ?)',
                           (at, paper['title'], ' '.join(author['name'] for author in paper['authors']), paper['summary'], paper['abstract']))
        connection.execute('insert into item values (?, ?, ?)', (at, paper['must_read'], paper['vote']))
connection.execute("insert into papers (papers, rank) values ('rank', ?)", (f'bm25({weights})',))
connection.execute("insert into papers (papers) values ('optimize')")
connection.commit()
connection.execute('pragma cache_size = -262144')
connection.execute('pragma mmap_size = 4294967296')

conditions = {'unrated': 'vote is null', 'liked': "vote = 'upvote'"}
queries = [json.loads(line) for line in open(queries_file)]


def search(query):
    terms = dict.fromkeys(re.findall(r'\w+', query['q'].lower()))
    match = ' OR '.join(f'"{term}"*' for term in terms)
    wanted = []
    if query.get('must_read'):
        wanted.append('must_read = 1')
    if 'feedback_filter' in query:
        wanted.append(conditions[query['feedback_filter']])
    if wanted:
        found = connection.execute(f"select papers.rowid from papers join item on item.id = papers.rowid where papers match ? and {' and '.join(wanted)} order by rank limit ? offset ?",
                                   (match, query['limit'] + 1, query['offset']))
    else:
        found = connection.execute('select rowid from papers where papers match ? order by rank limit ? offset ?', (match, query['limit'] + 1, query['offset']))
    return [row for (row,) in found.fetchall()]


def show(rows):
    return [connection.execute('select title, authors, summary, abstract, must_read, vote from papers join item on item.id = papers.rowid where papers.rowid = ?', (row,)).fetchone() for row in rows]


for query in queries:
    show(search(query))
for _ in range(int(rounds)):
    for at, query in enumerate(queries):
        began = time.perf_counter()
        found = search(query)
        show(found)
        print(json.dumps({'at': at, 'took': (time.perf_counter() - began) * 1000, 'found': found}))
