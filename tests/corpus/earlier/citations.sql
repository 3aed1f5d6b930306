BEGIN TRANSACTION;
CREATE TABLE arrivals (first INTEGER PRIMARY KEY, came TEXT NOT NULL);
INSERT INTO "arrivals" VALUES(1,'2026-11-26T22:12:29.907004');
INSERT INTO "arrivals" VALUES(31,'2026-11-26T22:12:38.474167');
CREATE TABLE derived (
    name TEXT PRIMARY KEY, build TEXT NOT NULL, generation INTEGER NOT NULL, rows INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "derived" VALUES('lexical-2','lexical-2-1ae4a5d4',3,31);
CREATE TABLE edges (
    citing TEXT NOT NULL,
    cited TEXT NOT NULL,
    how TEXT NOT NULL,
    section TEXT,
    sentence TEXT,
    PRIMARY KEY (citing, cited)
) WITHOUT ROWID;
INSERT INTO "edges" VALUES('1802.03480','1709.09994','given',NULL,NULL);
CREATE TABLE library (
    number INTEGER PRIMARY KEY,
    paper TEXT NOT NULL,
    file TEXT NOT NULL,
    key TEXT NOT NULL,
    entry TEXT NOT NULL,
    holding TEXT NOT NULL
);
INSERT INTO "library" VALUES(1,'lib:own2020','/home/ada/own.bib','own2020','@article{own2020, title={A work of my own on graphs}, author={Own, Ada}, year={2020}, journal={J}}','{"file": "/home/ada/own.bib", "kind": "bib", "title": "A work of my own on graphs", "key": "own2020", "entry": "@article{own2020, title={A work of my own on graphs}, author={Own, Ada}, year={2020}, journal={J}}", "authors": ["Ada Own"], "year": 2020, "abstract": "", "doi": null, "arxiv_id": null, "names": ["own2020"], "page": ""}');
CREATE TABLE mentions (
    citing TEXT NOT NULL, number INTEGER NOT NULL, key TEXT NOT NULL, section TEXT NOT NULL, sentence TEXT NOT NULL,
    PRIMARY KEY (citing, number, key)
) WITHOUT ROWID;
CREATE TABLE models (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimensions INTEGER);
INSERT INTO "models" VALUES(1,'all-MiniLM-L6-v2/onnx-int8',NULL);
CREATE TABLE papers (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    version INTEGER,
    title TEXT NOT NULL,
    abstract TEXT NOT NULL,
    authors TEXT NOT NULL,
    published TEXT NOT NULL,
    updated TEXT NOT NULL,
    categories TEXT NOT NULL,
    doi TEXT,
    journal_ref TEXT,
    comment TEXT,
    abstract_kind TEXT NOT NULL,
    month TEXT NOT NULL,
    digest BLOB NOT NULL,
    text BLOB NOT NULL,
    generation INTEGER NOT NULL
);
INSERT INTO "papers" VALUES(20,'1709.09994',1,'Premise Selection for Theorem Proving by Deep Graph Embedding','The paper proposes an approach to premise selection, the choice of statements that help to prove a conjecture. Formulas of higher-order logic become graphs that do not depend on the names of variables, and an embedding method keeps the order of edges. Accuracy on the HolStep dataset rises from 83% to 90.3%.','["Mingzhe Wang", "Yihe Tang", "Jian Wang", "Jia Deng"]','2017-09-28','2017-09-28','cs.AI cs.LG cs.LO',NULL,NULL,NULL,'summary','1709',X'1ACC4E3E4A015CA65801ABC21A0AFE563834FE87D1CE7FF0C5D53CFB0E1836A7',X'74A0CE4D57FD503C2591FBFC8EF6C634',1);
INSERT INTO "papers" VALUES(30,'1802.03480',1,'GraphVAE: Towards Generation of Small Graphs Using Variational Autoencoders','The paper describes GraphVAE, a variational autoencoder that generates small graphs. Its decoder outputs a fully connected probabilistic graph of bounded size in one step, and so avoids the difficulty of turning a discrete structure into a sequence. The generation of molecules serves as the test.','["Martin Simonovsky", "Nikos Komodakis"]','2018-02-09','2018-02-09','cs.LG cs.CV cs.NE',NULL,NULL,NULL,'summary','1802',X'FFEC095812AD175B5A42D89845184B37E54CFAA926ADD463A6C030589D2379CE',X'E796141CB24A5C35F7B400FBEAEAE9CF',1);
INSERT INTO "papers" VALUES(31,'lib:own2020',NULL,'A work of my own on graphs','','["Ada Own"]','2020-01-01','2020-01-01','',NULL,NULL,NULL,'abstract','lib:',X'6B4F7596FE488A9F7A9BF72C4306B3505C51E05BF7A077EA62838FCC5A8A2DE0',X'81E7B0A2E4CC2F97EE379C139643D7AF',3);
CREATE TABLE reference_entries (
    row INTEGER PRIMARY KEY,
    citing TEXT NOT NULL,
    source TEXT NOT NULL,
    number INTEGER NOT NULL,
    key TEXT,
    raw TEXT NOT NULL,
    arxiv_id TEXT,
    doi TEXT,
    title TEXT,
    year INTEGER,
    surnames TEXT NOT NULL,
    others TEXT NOT NULL,
    paper TEXT,
    how TEXT NOT NULL,
    UNIQUE (citing, source, number)
);
CREATE TABLE reference_lists (
    citing TEXT NOT NULL,
    source TEXT NOT NULL,
    state TEXT NOT NULL,
    asked TEXT NOT NULL,
    PRIMARY KEY (citing, source)
) WITHOUT ROWID;
INSERT INTO "reference_lists" VALUES('1802.03480','given','known','2026-11-26');
CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO "state" VALUES('generation',5);
CREATE TABLE unread (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE unresolved_names (
    name INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (name, row)
) WITHOUT ROWID;
CREATE TABLE vectors (
    number INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES models,
    text BLOB NOT NULL,
    vector BLOB NOT NULL,
    generation INTEGER NOT NULL
);
CREATE UNIQUE INDEX vectors_text ON vectors (model, text);
CREATE INDEX papers_generation ON papers (generation);
CREATE INDEX papers_text ON papers (text);
CREATE INDEX papers_month ON papers (month);
CREATE INDEX papers_filter ON papers (published, categories, id, text);
CREATE INDEX vectors_generation ON vectors (model, generation);
CREATE INDEX papers_doi ON papers (lower(doi)) WHERE doi IS NOT NULL;
CREATE INDEX papers_dois ON papers (doi) WHERE doi GLOB '*[ ,;:/#]10.*';
CREATE INDEX edges_cited ON edges (cited, citing);
CREATE INDEX reference_entries_unresolved ON reference_entries (citing) WHERE paper IS NULL;
CREATE INDEX library_paper ON library (paper)
;
COMMIT;
PRAGMA user_version = 1;
