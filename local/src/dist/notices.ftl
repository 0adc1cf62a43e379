Third-party libraries of Agent Health

Agent Health itself is licensed under the Apache License 2.0: LICENSE. The folder lib also contains the libraries below, unchanged; lit-html and
uPlot are files of the page. Each line has
a library, its version, its licences and its home. The folder licenses has the texts: by the name of the licence, or by the group of the library
where the text names its authors. Notices of authors (META-INF/NOTICE) are inside the jars. Of sqlite-jdbc, the part of org.xerial.txt is licensed under it,
and SQLite itself is in the public domain.

<#list dependencyMap as e>
<#assign project = e.getKey()/>
${project.groupId}:${project.artifactId}	${project.version}	<#list e.getValue() as licence>${licence}<#sep> | </#list>	${project.url!""}
</#list>
