/* SPDX-License-Identifier: BSD-3-Clause */
/* Files as C++ programs use them: streams of its own library. */
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

static void lines()
{
	std::ofstream out("lines");
	std::ifstream in;
	std::string line;
	long sum = 0;

	for (int i = 0; i < 5000; i++)
		out << i << ' ' << i * 0.5 << '\n';
	out.flush();
	in.open("lines");
	while (std::getline(in, line))
		sum += static_cast<long>(line.size());
	std::cout << "lines " << sum << ' ' << out.tellp() << '\n';
}

static void records()
{
	std::fstream both("records", std::ios::in | std::ios::out |
					     std::ios::binary | std::ios::trunc);
	std::vector<double> row(100), back(100);
	double sum = 0;

	for (int i = 0; i < 200; i++) {
		row.assign(row.size(), i);
		both.write(reinterpret_cast<char *>(row.data()), 800);
	}
	for (int i = 0; i < 200; i += 7) {
		both.seekg(i * 800);
		both.read(reinterpret_cast<char *>(back.data()), 800);
		sum += back[99];
		both.seekp(i * 800 + 8);
		both.write("changed!", 8);
	}
	both.seekg(0, std::ios::end);
	std::cout << "records " << sum << ' ' << both.tellg() << '\n';
}

static void ends()
{
	std::ofstream first("ends", std::ios::app), second("ends", std::ios::app);
	std::string all;

	for (int i = 0; i < 3; i++) {
		first << "first " << i << std::endl;
		second << "second " << i << std::endl;
	}
	first.close();
	second.close();
	std::ifstream in("ends");
	all.assign(std::istreambuf_iterator<char>(in), {});
	std::cout << all;
	std::ofstream cut("ends", std::ios::in | std::ios::out);
	cut.seekp(6);
	cut << "ZERO";
	cut.close();
	std::cout << std::filesystem::file_size("ends") << '\n';
	std::filesystem::resize_file("ends", 20);
	std::filesystem::copy_file("ends", "copy");
	std::filesystem::rename("copy", "moved");
	std::cout << std::filesystem::file_size("moved") << '\n';
}

static void wrong()
{
	std::ifstream none("none");
	std::ofstream nowhere("none/at/all");
	std::ifstream in("lines", std::ios::ate);

	std::cout << none.is_open() << nowhere.is_open() << in.tellg() << '\n';
	in.seekg(-5, std::ios::beg);
	std::cout << in.fail() << '\n';
}

int main()
{
	lines();
	records();
	ends();
	wrong();
}
